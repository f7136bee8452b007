/** A real platform with login, workers and the lab kernel, in a folder that is removed with it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const WEIR = fileURLToPath(new URL("../../.venv/bin/weir", import.meta.url));
const SAYS = "Weir is at ";

export interface Person {
  email: string;
  password: string;
}

export interface Platform {
  url: string;
  /** As when it crashes or is updated: gone, then back at the same address with all it knew. */
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Up {
  url: string;
  end: () => Promise<void>;
}

async function start(data: string, port: string, env: NodeJS.ProcessEnv): Promise<Up> {
  const child = spawn(WEIR, ["up", "--auth", "login", "--port", port, "--data", data], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(child, "exit");
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    await gone;
  };
  for await (const line of createInterface(child.stdout))
    if (line.startsWith(SAYS)) return { url: line.slice(SAYS.length).trim(), end };
  await gone;
  throw new Error(`weir up ended before it listened:\n${said}`);
}

/** Starts `weir up --auth login` on a free port, with an administrator of the installation. */
export async function startPlatform(admin: Person): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), "weir-e2e-"));
  const data = join(folder, "data");
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("WEIR_"));
  // The tests may run as root, and then so do its workers.
  const env = { ...Object.fromEntries(own), WEIR_AS_ROOT: "true" };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    let up: Up | null = await start(data, "0", env);
    const { url } = up;
    const create = ["admin", "create", admin.email, "--password-stdin", "--data", data];
    execFileSync(WEIR, create, { input: `${admin.password}\n`, env, stdio: "pipe" });
    const pause = async (): Promise<void> => {
      await up?.end();
      up = null;
    };
    return {
      url,
      pause,
      resume: async () => {
        up = await start(data, new URL(url).port, env);
      },
      stop: async () => {
        await pause();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
