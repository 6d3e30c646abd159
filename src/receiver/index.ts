/** The bundled receiver: an HTTP server that accepts events, for first runs, demos and tests with failures. */
export { type AnswerMode, answerModes, parseAnswers } from "./answer.js";
export { type Application, type ApplicationEvent, loadApplication, type ReplyTo } from "./application.js";
export { type ReceiverBug, receiverBugs, storyBugs } from "./bugs/index.js";
export { type ReceivedEvent } from "./received-event.js";
export { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.js";
export { parseFailureScript } from "./failure-script.js";
