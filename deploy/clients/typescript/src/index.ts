// Plays, watches and reads games of a Cabildo service.

export { type Answer, Client, type ClientSettings, type Method, type PathsWith, type Request } from "./client.js";
export { type Following, follow, type Message } from "./event_stream.js";
export { type Choose, play, type Turn } from "./play.js";
export { type Problem, Refused, Unreachable } from "./problems.js";
export { type DeviceCode, type Grant, type Pending, SignIn, SignInRefused, type SignInSettings } from "./sign_in.js";
export type { components, operations, paths } from "./schema.js";
