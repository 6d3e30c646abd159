/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The task ids of one array, as its engine gives them: 0, 2, 4 is `{ first: 0, last: 4, step: 2 }`. */
export interface TaskIds {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

/** A cluster engine that starts the same command several times and numbers the copies by environment variables. */
export interface Engine {
  /** As in messages and in the summary. */
  readonly name: string;
  /** The variable with the number of this copy. */
  readonly index: string;
  /** What the first copy has. `chosen`: the user chooses the task ids of the array, as in `--array=1-8`. */
  readonly base: 0 | 1 | "chosen";
  /** The variable with the number of copies; absent: the engine gives none. */
  readonly count?: string;
  /** Arrays with chosen ids: the variables with the first, the last and the step of the ids. */
  readonly ids?: { readonly first: string; readonly last: string; readonly step: string };
  /** A value of `index` that means that this is no array. */
  readonly none?: string;
  /** Where the engine documents them. */
  readonly docs: string;
}

/** Every engine in which `--shard auto` finds its part. docs/scale.md, "The part that an engine gives" lists them. */
export const engines: readonly Engine[] = [
  {
    name: "Kubernetes Indexed Job",
    index: "JOB_COMPLETION_INDEX",
    base: 0,
    docs: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode",
  },
  {
    name: "Slurm array",
    index: "SLURM_ARRAY_TASK_ID",
    base: "chosen",
    count: "SLURM_ARRAY_TASK_COUNT",
    ids: { first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP" },
    docs: "https://slurm.schedmd.com/job_array.html",
  },
  {
    // A batch script has SLURM_PROCID=0 too, and SLURM_NTASKS; only a step that srun starts has the number of its tasks.
    name: "Slurm step",
    index: "SLURM_PROCID",
    base: 0,
    count: "SLURM_STEP_NUM_TASKS",
    docs: "https://slurm.schedmd.com/srun.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES",
  },
  {
    name: "AWS Batch array",
    index: "AWS_BATCH_JOB_ARRAY_INDEX",
    base: 0,
    count: "AWS_BATCH_JOB_ARRAY_SIZE",
    docs: "https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html",
  },
  {
    name: "Nomad",
    index: "NOMAD_ALLOC_INDEX",
    base: 0,
    docs: "https://developer.hashicorp.com/nomad/docs/reference/runtime-environment-settings",
  },
  {
    name: "Grid Engine array",
    index: "SGE_TASK_ID",
    base: "chosen",
    ids: { first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST", step: "SGE_TASK_STEPSIZE" },
    none: "undefined",
    docs: "https://gridscheduler.sourceforge.net/htmlman/htmlman1/qsub.html",
  },
  {
    name: "Open MPI",
    index: "OMPI_COMM_WORLD_RANK",
    base: 0,
    count: "OMPI_COMM_WORLD_SIZE",
    docs: "https://docs.open-mpi.org/en/main/tuning-apps/environment-var.html",
  },
  {
    name: "GNU parallel",
    index: "PARALLEL_SEQ",
    base: 1,
    docs: "https://www.gnu.org/software/parallel/parallel.html",
  },
];

/** The number of parts if `--shard` does not give it, or `--shard` is absent. */
export const COUNT_VARIABLE = "HANDSET_SHARDS";
