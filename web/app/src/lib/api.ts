// What the page asks of the server over HTTP. Every refusal becomes a `Refusal`.
import type {
  Created,
  Draft,
  DraftView,
  GameView,
  ImportView,
  LibraryView,
  MatchCard,
  MatchView,
  NewMatch,
  PresetFields,
  ProblemView,
  SavedPreset,
  Uploaded,
  UserView,
  VisitorView,
} from "$protocol";
import { nameOf } from "./language.svelte";
import { ownerHeader } from "./owner";
import { read, write } from "./storage";
import { t } from "./words";

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: ProblemView,
  ) {
    super(problem.error);
  }
}

async function ask<T>(
  method: string,
  path: string,
  body?: BodyInit,
  headers: Record<string, string> = {},
): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      body: body ?? null,
      headers: { ...ownerHeader(), ...headers },
    });
  } catch {
    throw new Refusal(0, { error: t("error.noAnswer"), hint: t("error.noAnswerHint") });
  }
  if (!answer.ok) throw new Refusal(answer.status, await problemOf(answer));
  if (answer.status === 204) return undefined as T;
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** A problem and its hint, one after the other. */
export function sentences({ error, hint }: ProblemView): string {
  if (!hint) return error;
  return /[.!?…]$/.test(error) ? `${error} ${hint}` : `${error}. ${hint}`;
}

async function problemOf(answer: Response): Promise<ProblemView> {
  try {
    const body = (await answer.json()) as Partial<ProblemView>;
    if (typeof body.error === "string")
      return { ...body, error: body.error, hint: body.hint ?? null };
  } catch {
    // not ours: a proxy's page, say
  }
  return { error: `${answer.status} ${answer.statusText}`, hint: null };
}

/** Players and pieces by their names in the language of the page. */
function named(view: GameView): GameView {
  const own = <T extends { name: string }>(it: T): T => ({ ...it, name: nameOf(it.name) });
  return { ...view, players: view.players.map(own), kinds: view.kinds.map(own) };
}

const get = <T>(path: string) => ask<T>("GET", path);
const json = <T>(method: string, path: string, body: unknown) =>
  ask<T>(method, path, JSON.stringify(body), { "content-type": "application/json" });
const part = encodeURIComponent;

export const library = () => get<LibraryView>("/api/library");
export const game = async (id: string, n: number): Promise<GameView> =>
  named(await get<GameView>(`/api/games/${part(id)}/${n}`));
export const source = async (id: string): Promise<string> => {
  const answer = await fetch(`/api/games/${part(id)}/source`);
  if (!answer.ok) throw new Refusal(answer.status, await problemOf(answer));
  return answer.text();
};
export const removeGame = (id: string) => ask<void>("DELETE", `/api/games/${part(id)}`);
export const restoreGame = (id: string) => ask<void>("POST", `/api/games/${part(id)}/restore`);

export const matches = async (): Promise<MatchCard[]> => {
  const list: MatchCard[] = [];
  for (;;) {
    const more = await get<MatchCard[]>(`/api/matches?skip=${list.length}`);
    if (more.length === 0) break;
    list.push(...more);
  }
  // the list is for whoever sits at the machine: another browser there may go on with the same matches
  for (const card of list) if (card.key && !keyOf(card.id)) keepKey(card.id, card.key);
  return list;
};
export const match = (id: string) => get<MatchView>(`/api/matches/${part(id)}`);
export const newMatch = async (body: NewMatch): Promise<Created> => {
  const created = keep(await json<Created>("POST", "/api/matches", body));
  keepGameOfMatch({ id: created.id, game: body.game, n: body.n });
  return created;
};
export const solution = (id: string, n: number) =>
  json<Created>("POST", "/api/matches/solution", { game: id, n }).then(keep);
export const removeMatch = (id: string) =>
  ask<void>("DELETE", `/api/matches/${part(id)}${keyQuery(id)}`);
export const restoreMatch = (id: string) =>
  ask<void>("POST", `/api/matches/${part(id)}/restore${keyQuery(id)}`);
export const saveUrl = (id: string) => `/api/matches/${part(id)}/save.zsg`;
export const loadSave = (file: File) =>
  ask<Created>("POST", "/api/matches/load", file, {
    "content-type": "application/octet-stream",
    "x-file-name": part(file.name),
  }).then(keep);

export interface NamedFile {
  path: string;
  file: File;
}
export function upload(files: NamedFile[]): Promise<Uploaded> {
  const form = new FormData();
  for (const { path, file } of files) form.append("files", file, path);
  return ask<Uploaded>("POST", "/api/games", form);
}

export const presetFields = (id: string) => get<PresetFields>(`/api/presets/${part(id)}`);
export const tryDraft = (draft: Draft) => json<DraftView>("POST", "/api/presets/draft", draft);
export const savePreset = (draft: Draft) => json<SavedPreset>("POST", "/api/presets", draft);
export const importPreset = (text: string) =>
  json<ImportView>("POST", "/api/presets/import", { text });
export const presetUrl = (id: string, file: "preset.txt" | "preset.zip") =>
  `/api/presets/${part(id)}/${file}`;

export const visitor = () => get<VisitorView>("/api/visitor");
export const user = () => get<UserView>("/api/user");
export const putUser = (body: UserView) => json<void>("PUT", "/api/user", body);

// ---- keys: who may move for whom. They never leave this browser but to our own server.
const keyName = (id: string) => `bw.key.${id}`;

export function keyOf(id: string): string | null {
  try {
    return localStorage.getItem(keyName(id));
  } catch {
    return null;
  }
}

export function keepKey(id: string, key: string): void {
  try {
    localStorage.setItem(keyName(id), key);
  } catch {
    // private window: the key is lost with the page
  }
}

/** An invitation carries its key in the address: keeps it and takes it out of sight. */
export function keepInvitation(id: string): void {
  const query = new URLSearchParams(location.search);
  const key = query.get("key");
  if (!key) return;
  keepKey(id, key);
  query.delete("key");
  history.replaceState(null, "", location.pathname + (query.size > 0 ? `?${query}` : ""));
}

function keep(created: Created): Created {
  keepKey(created.id, created.key);
  if (created.invitations.length > 0) write(inviteName(created.id), created.invitations);
  return created;
}

const gameName = (id: string) => `bw.game.${id}`;

/** The game that a match was last seen to be of, so that both can be asked for at once. */
export const gameOfMatch = (id: string) =>
  read<Pick<MatchView, "game" | "n"> | null>(gameName(id), null);

export function keepGameOfMatch({ id, game, n }: Pick<MatchView, "id" | "game" | "n">): void {
  write(gameName(id), { game, n });
}

const inviteName = (id: string) => `bw.invite.${id}`;

/** Links for the seats that somebody else takes, known to the one who made the match. */
export const invitations = (id: string): Created["invitations"] => read(inviteName(id), []);

function keyQuery(id: string): string {
  const key = keyOf(id);
  return key ? `?key=${part(key)}` : "";
}

export function socketUrl(id: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/api/matches/${part(id)}/socket${keyQuery(id)}`;
}
