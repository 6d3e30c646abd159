import type { FieldType } from "../../src/wire/index.js";
import type { ContactContext, ContactView, LocationType } from "../../src/account/index.js";

const places: Readonly<Record<LocationType, readonly string[]>> = {
  state: ["Mombasa", "Kisumu"],
  district: ["Likoni"],
  ward: ["Mtongwe"],
};

/** An account in Nairobi (UTC+3) with a field of each type. */
export const context: ContactContext = {
  timezone: "Africa/Nairobi",
  dateStyle: "day_first",
  currentYear: 2026,
  isAnonymous: false,
  fields: new Map<string, FieldType>([
    ["gender", "text"],
    ["age", "numeric"],
    ["first_dose", "datetime"],
    ["home", "state"],
    ["area", "district"],
    ["block", "ward"],
    ["group", "text"],
    ["and", "text"],
  ]),
  boundaryName: (type, text) => {
    const sought = text.toLowerCase().split(">").at(-1)?.trim();
    return places[type].find((name) => name.toLowerCase() === sought);
  },
};

/** A contact with every property set, created at 01:30 in Nairobi, which is the day before in UTC. */
export const amina: ContactView = {
  uuid: "a7d2c9f0-0f3b-4a8e-9b7a-2c5e6d7f8091",
  name: "Amina Otieno",
  language: "swa",
  urns: ["tel:+254711000222", "tel:+254722000333", "twitterid:77#amina_o", "mailto:amina@example.org"],
  groups: [
    { uuid: "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f", name: "Field staff" },
    { uuid: "5e8f7a61-2c3d-4b1a-9e0f-6d7c8b9a0f12", name: "Mothers" },
  ],
  createdEpochMs: Date.UTC(2018, 2, 4, 22, 30),
  fields: {
    gender: "F",
    age: " 34.50 ",
    first_dose: "05-03-2018 23:30",
    home: "mombasa",
    area: "Kenya > Mombasa > Likoni",
    block: "Mtongwe",
    group: "A",
    and: "both",
  },
};

/** A contact with only the required properties. */
export const nobody: ContactView = {
  uuid: "2b6d8f10-4e5a-4c3b-8a9d-0e1f2a3b4c5d",
  name: null,
  language: null,
  urns: [],
  groups: [],
  createdEpochMs: Date.UTC(2019, 0, 1),
  fields: {},
};
