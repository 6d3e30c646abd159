import { describe, expect, it } from "vitest";
import { HealthLine } from "../../scenarios/health-line/application.mjs";

/** Wednesday, 2026-03-04, 07:00 UTC. */
const MORNING = Date.parse("2026-03-04T07:00:00Z");
const PHONE = "+12065550142";

/** Texts of one person, in their order. @returns the replies; "": none */
function conversation(...texts: readonly string[]): string[] {
  const line = new HealthLine();
  return texts.map((text, place) => reply(line, text, { key: `mo_sms 1 ${place}` }) ?? "");
}

function reply(
  line: HealthLine,
  text: string,
  {
    phone = PHONE,
    type = "mo_sms",
    atMs = MORNING,
    key = null,
  }: {
    phone?: string;
    type?: string;
    atMs?: number;
    key?: string | null;
  } = {},
): string | undefined {
  return line.reply({ type, phone, text, atMs, key });
}

describe("a complaint", () => {
  it.each([
    [
      "fever child 2 days",
      /danger sign.*Reply YES or NO/,
      "no",
      /^Please be seen today at \d\d:\d\d\. Give plenty to drink/,
    ],
    ["My daughter is HOT since yesterday!!", /danger sign/, "No.", /be seen today at/],
    ["cough 1 day", /breathing fast/, "no", /^Give warm drinks.*come Friday at/],
    ["cough for 2 weeks", /breathing fast/, "no", /be seen today/],
    ["I am pregnant and have pain", /baby move less/, "NO", /be seen today/],
    ["diarrhoea, boy of 3 years", /blood in the stool/, "n", /be seen today.*ORS/],
    ["rash", /swollen face/, "YES", /^URGENT/],
    [
      "Fièvre, enfant, 2 jours",
      /signe de danger.*Répondez OUI ou NON/,
      "non",
      /^Il faut consulter aujourd'hui à \d\d:\d\d\./,
    ],
    ["j'ai mal à la tête", /nuque/, "oui", /^URGENT : venez/],
    ["homa mtoto siku 2", /dalili ya hatari.*Jibu NDIYO au HAPANA/, "hapana", /^Aonwe leo saa \d\d:\d\d\./],
    ["mtoto anahara siku 1", /damu kwenye choo/, "ndiyo", /^HARAKA/],
  ])("%s", (complaint, question, word, advice) => {
    const [asked, concluded] = conversation(complaint, word);
    expect(asked).toMatch(question);
    expect(concluded).toMatch(advice);
  });

  it.each(["snake bite, please help", "EMERGENCY", "il saigne beaucoup", "mtoto ana degedege", "baby not breathing"])(
    "is urgent at once: %s",
    (text) => expect(conversation(text)[0]).toMatch(/^(URGENT|HARAKA)/),
  );

  it("keeps its question open over one unclear text", () => {
    const [first, again, end] = conversation("fever child", "since the market day before", "no");
    expect(again).toBe(first);
    expect(end).toMatch(/be seen today/);
  });

  it("is replaced by the next one", () => {
    expect(conversation("fever child", "also a cough", "no")[2]).toMatch(/warm drinks/);
  });
});

describe("the time of a visit", () => {
  const visit = (at: string, phone = PHONE): string => {
    const line = new HealthLine();
    reply(line, "fever child 2 days", { phone, atMs: Date.parse(at) });
    return /be seen (.*?)\. /.exec(reply(line, "no", { phone, atMs: Date.parse(at) }) ?? "")?.[1] ?? "";
  };

  it("is today while that can be reached, else the next working day", () => {
    expect(visit("2026-03-04T07:00:00Z")).toBe("today at 15:30");
    expect(visit("2026-03-04T14:45:00Z")).toBe("tomorrow at 15:30");
    expect(visit("2026-03-07T15:00:00Z")).toBe("Monday at 15:30");
  });

  it("depends on the phone number", () => {
    expect(visit("2026-03-04T06:00:00Z", "+12065550143")).toBe("today at 15:45");
  });
});

describe("stock reports", () => {
  it.each([
    [
      "STOCK nets 12 ors 40 act 3",
      "Thank you, noted: nets 12, ORS 40, ACT 3. Low: ACT. The car brings more on Thursday.",
    ],
    ["stock 12 nets, 40 ORS", "Thank you, noted: nets 12, ORS 40."],
    ["Stock nets12", "Thank you, noted: nets 12."],
    ["stock constructor 5", "Thank you, noted: constructor 5. Low: constructor. The car brings more on Thursday."],
    ["stock", "Write STOCK and your counts, such as: STOCK nets 12 ors 40 act 25"],
  ])("%s", (text, expected) => {
    expect(conversation(text)[0]).toBe(expected);
  });

  it("are in the language of the person", () => {
    expect(conversation("Bonjour", "stock moustiquaires 4 sro 40")[1]).toBe(
      "Merci, c'est noté : moustiquaires 4, SRO 40. Bas : moustiquaires. La voiture en apporte jeudi.",
    );
  });
});

describe("a conversation", () => {
  it("remembers the language of the person", () => {
    const [hello, help, guidance] = conversation("Habari za asubuhi", "HELP ????", "xyzzy");
    expect(hello).toMatch(/^Habari/);
    expect(help).toMatch(/^Velmara Health Line/); // HELP is an English word
    expect(guidance).toMatch(/^We did not/);
    expect(conversation("Bonjour", "xyzzy")[1]).toMatch(/^Nous n'avons pas compris/);
  });

  it("answers what is not a complaint", () => {
    expect(conversation("when is the clinic open?")[0]).toMatch(/from 8 to 16/);
    expect(conversation("is the nurse there today?")[0]).toMatch(/a nurse is there/);
    expect(conversation("I will come tomorrow")[0]).toMatch(/^Good\. We expect you tomorrow at 15:30/);
    expect(conversation("ok, merci", "sawa", "12")).toEqual([
      "",
      "",
      expect.stringMatching(/did not understand|pas compris|Hatukuelewa/),
    ]);
  });

  it("has no answer to YES, NO and thanks without a question", () => {
    expect(conversation("yes", "NO", "asante sana", "Merci !")).toEqual(["", "", "", ""]);
  });

  it("leaves JOIN, and what follows it, to the registration", () => {
    expect(conversation("join", "Amina", "34")).toEqual(["", "", ""]);
  });

  it("leaves to a flow what answers its questions, and hears a complaint in between", () => {
    const line = new HealthLine();
    reply(line, "Bonjour");
    const ask = (text: string, atMs: number): void => {
      expect(reply(line, text, { type: "mt_sent", atMs })).toBeUndefined();
    };
    ask("Quel est votre nom ?", MORNING + 1000);
    expect(reply(line, "Diane", { atMs: MORNING + 60_000 })).toBeUndefined();
    ask("Quel âge avez-vous ?", MORNING + 61_000);
    expect(reply(line, "abc", { atMs: MORNING + 90_000 })).toBeUndefined();
    expect(reply(line, "bonjour", { atMs: MORNING + 90_000 })).toBeUndefined();
    expect(reply(line, "fièvre", { atMs: MORNING + 91_000 })).toMatch(/signe de danger/);
    expect(reply(line, "abc", { atMs: MORNING + 92_000 })).toMatch(/signe de danger/);
    ask("Vous êtes inscrit.", MORNING + 93_000);
    expect(reply(line, "abc", { atMs: MORNING + 7_200_000 })).toMatch(/pas compris/);
  });

  it("takes YES for the answer to the newest question: a campaign's, not an older one of its own", () => {
    const campaign = "Ziara yako ni kesho, Amina. Njoo na kadi yako. Utakuja?";
    const asked = (word: string): string | undefined => {
      const line = new HealthLine();
      reply(line, "homa mtoto siku 2");
      reply(line, campaign, { type: "mt_sent", atMs: MORNING + 7_200_000 });
      return reply(line, word, { atMs: MORNING + 7_300_000 });
    };
    expect(asked("ndiyo")).toMatch(/^Vizuri\. Tunakusubiri kesho/);
    expect(asked("hapana")).toMatch(/^Asante kwa kutuambia/);
  });

  it("is not confused by the reports of its own replies, however late", () => {
    const line = new HealthLine();
    const question = reply(line, "fever child 2 days") ?? "";
    reply(line, question, { type: "mt_sent", atMs: MORNING + 5000 });
    reply(line, "An older text of the clinic", { type: "mt_sent", atMs: MORNING - 60_000 });
    expect(reply(line, "no", { atMs: MORNING + 60_000 })).toMatch(/be seen today/);
  });

  it("keeps the person's language over keywords that all languages share", () => {
    expect(conversation("Bonjour", "STOP")[1]).toMatch(/^Vous ne recevrez plus/);
  });

  it("ends with STOP, begins again with START, and hears an emergency in between", () => {
    const [stop, hours, danger, start, again] = conversation("STOP", "hours?", "snake bite", "start", "hours?");
    expect(stop).toMatch(/no more texts/);
    expect(hours).toBe("");
    expect(danger).toMatch(/^URGENT/);
    expect(start).toMatch(/^Welcome back/);
    expect(again).toMatch(/from 8 to 16/);
  });

  it("stops guiding after three texts that it does not understand, until one that it does", () => {
    expect(conversation("a1b", "b2c", "c3d", "d4e", "hello", "e5f").map((one) => one !== "")).toEqual([
      true, true, true, false, true, true,
    ]); // prettier-ignore
  });

  it("gives a repeated delivery the same answer, and does not continue by it", () => {
    const line = new HealthLine();
    const first = reply(line, "fever child", { key: "mo_sms 1 1" });
    expect(reply(line, "fever child", { key: "mo_sms 1 1" })).toBe(first);
    const end = reply(line, "no", { key: "mo_sms 1 2" });
    expect(reply(line, "no", { key: "mo_sms 1 2" })).toBe(end);
  });
});

describe("events", () => {
  it("texts back after a missed call, in the language of the person", () => {
    const line = new HealthLine();
    expect(reply(line, "", { type: "mo_miss" })).toMatch(/^You called us/);
    reply(line, "Bonjour");
    expect(reply(line, "", { type: "mo_miss" })).toMatch(/^Vous avez appelé/);
  });

  it.each(["mt_sent", "mt_dlvd", "mo_call", "mt_call", "mt_miss", "alarm", "flow", "mo_mms", ""])(
    "of the type '%s' get no answer",
    (type) => expect(reply(new HealthLine(), "fever", { type })).toBeUndefined(),
  );

  it.each(["MTN", "3636", "", "+", "x".repeat(9)])("of the sender '%s' get no answer", (phone) => {
    expect(reply(new HealthLine(), "hello", { phone })).toBeUndefined();
  });

  it("of any text and length are read", () => {
    const line = new HealthLine();
    for (const text of [
      "",
      " ",
      "\0",
      "🤒".repeat(5000),
      "fever ".repeat(100_000),
      "حمى",
      "發燒",
      "{when}",
      "__proto__",
    ]) {
      expect(() => reply(line, text)).not.toThrow();
    }
  });

  it("keeps every reply within one message of the service", () => {
    for (const text of ["help", "aide", "msaada", "xyz", "fever", "fievre enfant", "homa", "hours", "snake"]) {
      expect((reply(new HealthLine(), text) ?? "").length).toBeLessThanOrEqual(320);
    }
  });

  it("forgets those who were silent for longest", () => {
    const line = new HealthLine();
    for (let n = 0; n < 20_050; n++) reply(line, "hello", { phone: `+1206${String(n).padStart(7, "0")}` });
    expect(line.size).toBe(20_000);
  });
});
