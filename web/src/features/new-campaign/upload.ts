/** Files go to the team's store by their SHA-256, before the campaign that names them. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { client } from "#/api/client";

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Uploads a file and returns its SHA-256. Throws the API's problem, or Error for one too large. */
export async function upload(team: string, file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES)
    throw new Error(`${file.name} has ${file.size} bytes; at most ${MAX_FILE_BYTES} are taken`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = bytesToHex(sha256(bytes));
  const { error } = await client.PUT("/api/v1/teams/{team}/files/{sha256}", {
    params: { path: { team, sha256: name } },
    body: bytes as unknown as string,
    bodySerializer: (body: unknown) => body as Uint8Array<ArrayBuffer>,
    headers: { "Content-Type": "application/octet-stream" },
  });
  if (error !== undefined) throw error;
  return name;
}
