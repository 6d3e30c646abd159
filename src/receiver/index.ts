/** The bundled receiver: an application to send events to for the first run, for demos and for tests of failure. */
export { type AnswerMode, answerModes, parseAnswers } from "./answer.js";
export { type ReceivedEvent } from "./received-event.js";
export { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.js";
export { parseFailureScript } from "./failure-script.js";
