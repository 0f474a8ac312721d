import type { Messages } from "../index.js";

declare const messages: Messages;
export default messages;
