// Written by `python -m dizhu.protocol.typescript` from src/dizhu/protocol; do not edit.

export const PROTOCOL = 1;

export type RefusalCode =
  | "bad_message"
  | "wrong_protocol"
  | "unknown_token"
  | "hello_first"
  | "already_greeted"
  | "too_fast"
  | "too_many_guests"
  | "too_many_tables"
  | "server_full"
  | "stopping"
  | "store_failed"
  | "internal"
  | "suspended"
  | "unknown_variant"
  | "unknown_option"
  | "bad_option"
  | "unknown_bot"
  | "unknown_room"
  | "unknown_table"
  | "unknown_seat"
  | "already_seated"
  | "already_waiting"
  | "not_waiting"
  | "not_seated"
  | "too_poor"
  | "table_full"
  | "hand_running"
  | "not_host"
  | "not_private"
  | "may_not_watch"
  | "too_much_talk"
  | "stale"
  | "not_your_turn"
  | "not_allowed"
  | "not_over"
  | "hand_over"
  | "may_not_leave"
  | "malformed_action"
  | "malformed_cards"
  | "cards_not_held"
  | "not_a_combination"
  | "does_not_beat"
  | "must_play";

export type ClosedCode =
  | "left"
  | "idle"
  | "closed"
  | "failed"
  | "replaced"
  | "slow"
  | "poor"
  | "suspended"
  | "logged_out"
  | "shutdown";

/** The first message of a connection. `token` is for clients without cookies; null asks for a new guest. */
export interface HelloCommand {
  type: "hello";
  id: number;
  protocol: number;
  token: string | null;
}

/** Open a table of a game for practice, with bots of one kind on the other seats. */
export interface SitCommand {
  type: "sit";
  id: number;
  variant: string;
  bot: string;
}

/** Look for a table in a room. `queue` tells how it goes; `table` follows. */
export interface QuickCommand {
  type: "quick";
  id: number;
  room: string;
}

/** Look for a table no more. */
export interface CancelCommand {
  type: "cancel";
  id: number;
}

/** Open a private table, which others join by its code. `options` are those of the game, as `max_robs` or `cap`. */
export interface OpenCommand {
  type: "open";
  id: number;
  variant: string;
  options?: Record<string, boolean | number | string>;
}

/** Sit down at a private table. */
export interface JoinCommand {
  type: "join";
  id: number;
  code: string;
}

/** Give the empty seats of a private table to bots of one kind; the host's to say. */
export interface FillCommand {
  type: "fill";
  id: number;
  bot: string;
}

/** Look on at a table, named by its id or its code. A spectator sees what is public, and leaves by `leave`. */
export interface WatchCommand {
  type: "watch";
  id: number;
  table: string;
}

/** Answer the open question. `seq` is the number of the last event that the client has seen. */
export interface ActCommand {
  type: "act";
  id: number;
  seq: number;
  action: string;
}

/** Ask what the best bot would answer to the open question. `seq` as in `act`. */
export interface HintCommand {
  type: "hint";
  id: number;
  seq: number;
}

/** Ready for the next hand. `entropy`, 1 to 32 bytes as hex, goes into its shuffle. */
export interface NextCommand {
  type: "next";
  id: number;
  entropy?: string | null;
}

/** Let the seat be played automatically, or take it back. */
export interface AutoCommand {
  type: "auto";
  id: number;
  on: boolean;
}

/** Send again the events after number `after`, or the whole table if they are not kept any more. */
export interface SyncCommand {
  type: "sync";
  id: number;
  after: number;
}

/** Stand up from the table on purpose. */
export interface LeaveCommand {
  type: "leave";
  id: number;
}

/** Say a quick phrase, or show an emote. */
export interface SayCommand {
  type: "say";
  id: number;
  phrase: number;
}

/** Say something in one's own words; at private tables only. */
export interface ChatCommand {
  type: "chat";
  id: number;
  text: string;
}

/** Hear the player of a seat no more while at this table, or again. */
export interface MuteCommand {
  type: "mute";
  id: number;
  seat: number;
  on: boolean;
}

/** Never again hear the player of a seat, nor meet him by `quick`; or take that back. */
export interface BlockCommand {
  type: "block";
  id: number;
  seat: number;
  on: boolean;
}

/** Tell the host of the server what the player of a seat does. */
export interface ReportCommand {
  type: "report";
  id: number;
  seat: number;
  reason: string;
  words?: string | null;
}

/** The answer to `hello`. `token` is given once, to a new guest without cookies; if seated, `table` follows. */
export interface WelcomeMessage {
  type: "welcome";
  id: number;
  protocol: number;
  account: number;
  name: string;
  token: string | null;
  seated: boolean;
  variants: VariantInfo[];
  bots: string[];
}

/**
 * A game that can be played here. `ranks` are in order, lowest first.
 *
 * `bots`: the kinds that people are offered here, the weakest first.
 */
export interface VariantInfo {
  name: string;
  seats: number;
  decks: number;
  ranks: string;
  cards_each: number;
  bottom: number;
  options: OptionInfo[];
  bots: string[];
}

/**
 * What the host of a private table may change of a game.
 *
 * `values`: what it may be, the usual first; of whole numbers, if they are too many to list, the usual alone, and
 * `least` and `most` are the first and the last.
 */
export interface OptionInfo {
  name: string;
  values: (boolean | number | string | null)[];
  least: number | null;
  most: number | null;
}

/** The command was carried out; `seq` is the number of the newest event (0 where there is no table). */
export interface DoneMessage {
  type: "done";
  id: number;
  seq: number;
}

/** The answer to `hint`: actions that answer the question of event `asked`, the best first, all of them legal. */
export interface AdviceMessage {
  type: "advice";
  id: number;
  asked: number;
  actions: string[];
}

/** The command was refused and nothing has changed. `id` is null if the message had none that could be read. */
export interface RefusedMessage {
  type: "refused";
  id: number | null;
  code: RefusalCode;
  detail: Record<string, string | number | boolean | null>;
}

/** How the search for a table goes: who waits in the room, and when bots will take the seats that are left. */
export interface QueueMessage {
  type: "queue";
  room: string;
  waiting: number;
  seats: number;
  fill_ms: number;
}

/**
 * The whole table as one seat may see it, after event `seq`; `seat` is null for a spectator.
 *
 * `hand` counts the deals of this table from 1; before the first one it is 0, and `view` and `commitment` are null.
 * `commitment` is the SHA-256 of the seed of the deal, `seed` the seed itself, null until the hand has ended; both
 * are hexadecimal. `next_commitment`: that of the next deal, so that a player can add to its shuffle knowing that
 * the seed is fixed. `code`: what others join a private table by. `host`: the seat whose player may fill the others.
 */
export interface TableMessage {
  type: "table";
  seq: number;
  table: string;
  code: string | null;
  setting: Setting;
  seat: number | null;
  host: number | null;
  hand: number;
  view: View | null;
  seats: Seat[];
  clock: Clock | null;
  commitment: string | null;
  seed: string | null;
  next_commitment: string;
  settled: Settled | null;
}

/**
 * What is played for at a table. `room`: null at a private table. `options`: those of the game, if not the usual.
 *
 * `coefficient`: beans a point; `fee`: beans each player pays a hand; both 0 where none are at stake.
 */
export interface Setting {
  room: string | null;
  variant: string;
  options: Record<string, boolean | number | string>;
  coefficient: number;
  fee: number;
}

/**
 * All that `seat` may know of a hand (`None`: a spectator), and nothing else.
 *
 * phase: `open`, `bid`, `call`, `rob`, `declare`, `double`, `play`, `over` or `redeal`.
 * moment: in phase `open` one of `before`, `early`, `late`, `landlord`; else None.
 * turn: the seats that must answer now, ascending; several at once for a simultaneous question.
 * hands: by seat; None where the cards are hidden from this seat. A hand of which only a part is dealt
 *     so far (phase `open`) is that part.
 * counts: cards left, by seat.
 * bottom: the cards, or None while this seat may not know them. aside: likewise (`two_player`), after the end.
 * marked: the marked card (`five_player`).
 * landlords: those that this seat knows of; the hidden landlord knows himself.
 * revealed: whether everybody knows who all the landlords are.
 * let: cards left at which the farmer wins (`two_player`), else 0.
 * table: what has to be beaten, None on a lead. last: by seat, the last turn since the trick began
 *     (None: none yet; a Move without cards: passed).
 * legal: what this seat may answer now, as text for `Game.act`, from low to high (empty if it is not asked).
 *     `leave` is never in it: `may_leave` says whether leaving on purpose ends the hand now.
 * cap: the most that the base is multiplied by between two players, pairwise doublings included (None: no limit);
 *     `multiplier` is the product of its factors, which may be more.
 */
export interface View {
  variant: string;
  seat: number | null;
  phase: string;
  moment: string | null;
  turn: number[];
  first: number;
  hands: (string[] | null)[];
  counts: number[];
  bottom: string[] | null;
  aside: string[] | null;
  marked: string | null;
  landlords: number[];
  revealed: boolean;
  base: number;
  multiplier: number;
  factors: Factor[];
  doubled: number[];
  opened: number[];
  let: number;
  answers: Answer[];
  table: Table | null;
  last: (Move | null)[];
  history: Move[];
  legal: string[];
  may_leave: boolean;
  result: Result | null;
  cap: number | null;
}

/** One part of the multiplier: `name` is rob, open, declare, double, bomb, rocket, spring or anti_spring. */
export interface Factor {
  name: string;
  times: number;
}

/** What a seat answered to a question before the play: `bid 2`, `call`, `rob`, `open`, `double`, `declare`, `no`. */
export interface Answer {
  phase: string;
  seat: number;
  action: string;
}

/** The combination that has to be beaten: who played it, its cards and its reading (rules.md §2). */
export interface Table {
  seat: number;
  cards: string[];
  kind: string;
  length: number;
  rank: string;
}

/** A turn of the play: the cards a seat put down, none for a pass. */
export interface Move {
  seat: number;
  cards: string[];
}

/**
 * How a hand ended. `points` is by seat, and `sum(points) + house == 0`.
 *
 * `reason` is `out` (a hand was played to its last card), `let` (a farmer came down to the let cards) or
 * `leave` (somebody left on purpose). `factors` are the parts of `multiplier`; pairwise doubling is not in
 * it: `doubled` lists the seats that doubled. `points` are what a cap leaves of that, `multiplier` is what it was.
 */
export interface Result {
  reason: string;
  landlords: number[];
  winners: number[];
  base: number;
  multiplier: number;
  factors: Factor[];
  doubled: number[];
  points: number[];
  house: number;
}

/**
 * A seat and who sits there. `auto`: it is played automatically until its player takes it back.
 *
 * An empty seat has neither `account` nor `bot`. `title`: the step of its player's ladder, from 0 (bots have none).
 * `score`: points since the seat was taken. `ready`: its player has asked for the next hand.
 */
export interface Seat {
  name: string;
  account: number | null;
  bot: boolean;
  connected: boolean;
  auto: boolean;
  ready: boolean;
  score: number;
  title: number | null;
}

/** The time for the open question, in milliseconds: all of it, and what is left of it. */
export interface Clock {
  limit_ms: number;
  left_ms: number;
}

/**
 * What the end of a hand changed in the books: beans and points of the ladder, by seat.
 *
 * `points` is null at tables whose hands are not counted, `beans` where none are at stake. `share`: the name of the
 * hand's replay.
 */
export interface Settled {
  share: string;
  points: number[] | null;
  beans: number[] | null;
}

/**
 * Event number `seq`, and what it changed for this seat.
 *
 * `history` is never in `changes`: a `play` or `pass` appends {seat, cards}, a `deal` empties it. If one action
 * has several events, the first carries all that changed. `seats`, `hand`, `commitment`, `seed`, `next_commitment`
 * and `settled` are null unless they changed (with a `deal`, `seed` and `settled` are null anew). `clock` is that of
 * the question now open, null if there is none. The kind `seats` stands for a change of `seats` alone.
 */
export interface EventMessage {
  type: "event";
  seq: number;
  event: Event;
  changes: ViewChanges;
  seats: Seat[] | null;
  clock: Clock | null;
  hand: number | null;
  commitment: string | null;
  seed: string | null;
  next_commitment: string | null;
  settled: Settled | null;
}

/**
 * One thing that happened at the table, known to everybody; secrets travel in views only.
 *
 * `kind` is an action's word (`bid`, `call`, `rob`, `open`, `double`, `declare`, `no`, `play`, `pass`, `leave`) or
 * `deal`, `answered` (a simultaneous answer came in, its content is held back), `landlord` (somebody became
 * landlord), `bottom` (the landlord took the bottom cards), `reveal` (the hidden landlord is known), `over`, `redeal`.
 * `value` is the bid, or the factor that the answer or the combination stands for (of several open hands only the
 * largest counts, a pairwise doubling counts between the two); `cards` are cards put down.
 */
export interface Event {
  kind: string;
  seat: number | null;
  value: number | null;
  cards: string[];
}

/** The fields of a seat's view that differ from its view one event before. */
export interface ViewChanges {
  variant?: string;
  seat?: number | null;
  phase?: string;
  moment?: string | null;
  turn?: number[];
  first?: number;
  hands?: (string[] | null)[];
  counts?: number[];
  bottom?: string[] | null;
  aside?: string[] | null;
  marked?: string | null;
  landlords?: number[];
  revealed?: boolean;
  base?: number;
  multiplier?: number;
  factors?: Factor[];
  doubled?: number[];
  opened?: number[];
  let?: number;
  answers?: Answer[];
  table?: Table | null;
  last?: (Move | null)[];
  legal?: string[];
  may_leave?: boolean;
  result?: Result | null;
  cap?: number | null;
}

/** Somebody at the table said a quick phrase (by its number) or something in his own words. */
export interface SaidMessage {
  type: "said";
  seat: number;
  phrase: number | null;
  text: string | null;
}

/** What the player owns now: beans, and points on both ladders. */
export interface PurseMessage {
  type: "purse";
  beans: number;
  three_player: number;
  five_player: number;
}

/** The server ends the table or the connection. `back_ms`: when to come back, if the server will. */
export interface ClosedMessage {
  type: "closed";
  code: ClosedCode;
  back_ms: number | null;
}

export type Command =
  | HelloCommand
  | SitCommand
  | QuickCommand
  | CancelCommand
  | OpenCommand
  | JoinCommand
  | FillCommand
  | WatchCommand
  | ActCommand
  | HintCommand
  | NextCommand
  | AutoCommand
  | SyncCommand
  | LeaveCommand
  | SayCommand
  | ChatCommand
  | MuteCommand
  | BlockCommand
  | ReportCommand;

export type ServerMessage =
  | WelcomeMessage
  | DoneMessage
  | AdviceMessage
  | RefusedMessage
  | QueueMessage
  | TableMessage
  | EventMessage
  | SaidMessage
  | PurseMessage
  | ClosedMessage;
