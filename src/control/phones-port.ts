import type {
  CallEntry,
  ConversationHead,
  FoundPerson,
  HandsetDetails,
  Listed,
  PersonConversationHead,
  PersonDetails,
  TextEntry,
  TextWay,
} from "../console/index.js";

/** A page of a list: `behind` is `next` of the page before. */
export interface PageAsked {
  readonly behind?: string | undefined;
  readonly limit: number;
}

/** What the console shows of single handsets: selectors of one, `clinic/3`. All throw a ControlRefusal for others. */
export interface HandsetReader {
  handset(of: string): HandsetDetails;
  /** The people whom a handset's texts are with, by the newest text. */
  conversations(of: string, page: PageAsked): Listed<ConversationHead>;
  /** The texts that a handset shows of a person. */
  conversation(of: string, phone: string, page: PageAsked): Listed<TextEntry>;
  calls(of: string, page: PageAsked): Listed<CallEntry>;
}

/**
 * What the console shows of single people: a selector of one, or a phone number, which may be nobody's yet. All throw a
 * ControlRefusal for others.
 */
export interface PersonReader {
  person(who: string): PersonDetails;
  /** The handsets that a person's texts are with. */
  personConversations(who: string): PersonConversationHead[];
  /** The texts that a person's phone shows of a handset, and the way of the newest that the person sent. */
  personConversation(who: string, of: string, page: PageAsked): Listed<TextEntry> & { readonly way: TextWay | null };
  personCalls(who: string, limit: number): CallEntry[];
  /** People by a part of the name, the number or the selector, in the order of the list of all people. */
  findPeople(asked: {
    readonly search: string;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Listed<FoundPerson>;
}
