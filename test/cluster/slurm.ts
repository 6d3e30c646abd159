import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { until } from "../support/until.js";
import { unpackPackages } from "./debian-packages.js";

const run = promisify(execFile);

const packages = (
  "slurmctld slurmd slurm-client slurm-wlm-basic-plugins " +
  "libhwloc15 libjson-c5 liblua5.1-0 libmunge2 libnuma1 libyaml-0-2 libdbus-1-3"
).split(" ");

/** Nodes, all on loopback, and the processors that each claims. */
const NODES = 4;
const CPUS = 8;

/** Slurm's real controller and four of its nodes on this machine, without munge and without root. */
export class Slurm {
  readonly folder: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #daemons: ChildProcess[] = [];

  private constructor(folder: string, environment: Readonly<Record<string, string | undefined>>) {
    this.folder = folder;
    this.#environment = environment;
  }

  /** @returns a text if it cannot be started here: the reason */
  static async start(folder: string): Promise<Slurm | string> {
    const unpacked = await unpackPackages(folder, packages);
    if (typeof unpacked === "string") return unpacked;
    const { root, libraries } = unpacked;
    const plugins = join(libraries, "slurm-wlm");
    const config = join(folder, "slurm.conf");
    writeFileSync(config, await configuration(folder, plugins));
    const slurm = new Slurm(folder, {
      ...process.env,
      SLURM_CONF: config,
      LD_LIBRARY_PATH: `${libraries}${delimiter}${plugins}`,
      PATH: [join(folder, "bin"), join(root, "usr", "bin"), process.env["PATH"]].join(delimiter),
    });
    // Debian's alternatives choose between slurmd-wlm and others; nothing is installed here.
    const program = (name: string): string => {
      const plain = join(root, "usr", "sbin", name);
      return existsSync(plain) ? plain : `${plain}-wlm`;
    };
    slurm.#startDaemon("slurmctld", program("slurmctld"), ["-D", "-f", config]);
    for (let node = 1; node <= NODES; node++) {
      slurm.#startDaemon(`n${node}`, program("slurmd"), [
        "-D",
        "-N",
        `n${node}`,
        "-f",
        config,
        "-d",
        program("slurmstepd"),
      ]);
    }
    try {
      await until(async () => {
        const ended = slurm.#daemons.find(({ exitCode }) => exitCode !== null);
        if (ended !== undefined) throw new Error(`a daemon ended:\n${slurm.logs()}`);
        const states = await slurm.call("sinfo", ["--noheader", "--format=%T %D"]).catch(() => "");
        return states.trim() === `idle ${NODES}`;
      }, "all nodes are idle");
    } catch (error) {
      await slurm.stop();
      throw error;
    }
    return slurm;
  }

  /** Runs one of Slurm's commands, or a script that calls them. @returns its stdout */
  async call(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await run(program, args, { env: { ...this.#environment, ...more } });
    return stdout.trim();
  }

  /** The states of a job's tasks, as `1 COMPLETED 0:0`; empty when Slurm has forgotten it. */
  async tasksOf(job: string): Promise<string[]> {
    const shown = await this.call("scontrol", ["show", "job", job, "--oneliner"]).catch(() => "");
    return shown.split("\n").filter((line) => line !== "");
  }

  /** Waits until no task of a job waits or runs. */
  async ended(job: string): Promise<void> {
    await until(async () => {
      const states = await this.call("squeue", ["--noheader", "--job", job, "--format=%T"]).catch(() => "");
      return states === "";
    }, `job ${job} has ended`);
  }

  /** The ends of the logs of all daemons. */
  logs(): string {
    const names = ["slurmctld", ...Array.from({ length: NODES }, (_, node) => `n${node + 1}`)];
    return names
      .map((name) => join(this.folder, `${name}.log`))
      .filter((path) => existsSync(path))
      .map((path) => `${path}:\n${readFileSync(path, "utf8").slice(-1500)}`)
      .join("\n");
  }

  /** Ends the jobs with their processes, then the daemons. */
  async stop(): Promise<void> {
    await this.call("scancel", ["--signal=KILL", "--full", `--user=${userInfo().username}`]).catch(() => "");
    await this.call("scancel", [`--user=${userInfo().username}`]).catch(() => "");
    for (let second = 0; second < 20; second++) {
      if ((await this.call("squeue", ["--noheader"]).catch(() => "")) === "") break;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const alive = this.#daemons.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ends = alive.map((daemon) => once(daemon, "exit"));
      for (const daemon of alive) daemon.kill(signal);
      const patience = new Promise((resolve) => setTimeout(resolve, 10_000).unref());
      await Promise.race([Promise.all(ends), patience]);
    }
  }

  #startDaemon(name: string, program: string, args: readonly string[]): void {
    const log = openSync(join(this.folder, `${name}.log`), "a");
    this.#daemons.push(spawn(program, args, { env: this.#environment, stdio: ["ignore", log, log] }));
    closeSync(log);
  }
}

async function configuration(folder: string, plugins: string): Promise<string> {
  const ports = await freePorts(NODES + 1);
  const { username } = userInfo();
  const nodes = Array.from({ length: NODES }, (_, index) => {
    mkdirSync(join(folder, "spool", `n${index + 1}`), { recursive: true });
    const address = `NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${ports[index]}`;
    return `NodeName=n${index + 1} ${address} CPUs=${CPUS} State=UNKNOWN`;
  });
  mkdirSync(join(folder, "state"), { recursive: true });
  return `ClusterName=handset
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmctldPort=${ports[NODES]}
SlurmUser=${username}
SlurmdUser=${username}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0
PluginDir=${plugins}
StateSaveLocation=${join(folder, "state")}
SlurmdSpoolDir=${join(folder, "spool", "%n")}
SlurmctldPidFile=${join(folder, "slurmctld.pid")}
SlurmdPidFile=${join(folder, "%n.pid")}
ReturnToService=2
KillWait=5
MessageTimeout=60
${nodes.join("\n")}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
