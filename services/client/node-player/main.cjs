// The smallest player for Node.js: the highest level below a share of the last segment's rate.
// docs/node-players.md is its contract. Its one option, `share` (default 0.8), is that share.
'use strict';
const fs = require('node:fs');
const http = require('node:http');

const { env } = process;
const content = JSON.parse(fs.readFileSync(env.WEIR_CONTENT, 'utf8'));
const { share = 0.8 } = JSON.parse(env.WEIR_OPTIONS);
const [startS, stopS, bufferS] = [env.WEIR_START_S, env.WEIR_STOP_S, env.WEIR_BUFFER_S].map(Number);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

// Seconds of the experiment.
const now = () => (performance.timeOrigin + performance.now()) / 1000 - env.WEIR_EPOCH_UNIX_S;
const until = (s) => new Promise((done) => setTimeout(done, Math.max(0, s - now()) * 1000));

function size(level, segment) {
  const { bitrates_bps: rates, segment_s: lengthS, sizes_bytes: sizes } = content;
  return sizes ? sizes[level][segment] : Math.round((rates[level] * lengthS) / 8);
}

function fetched(segment, level) {
  let from = 0;
  for (let before = 0; before < segment; before += 1) from += size(level, before);
  const headers = { Range: `bytes=${from}-${from + size(level, segment) - 1}` };
  const row = { segment, level, size_bytes: 0, request_s: now() };
  return new Promise((done, failed) => {
    const request = http.get(`${env.WEIR_SERVER}/level-${level}`, { agent, headers }, (answer) => {
      Object.assign(row, { first_byte_s: now(), status: answer.statusCode });
      row.connection = answer.socket.localPort;
      answer.on('data', (part) => (row.size_bytes += part.length));
      answer.on('end', () => done({ ...row, last_byte_s: now() }));
    });
    request.on('error', failed);
  });
}

async function play() {
  let level = 0;
  let playsFromS = null;
  await until(startS);
  for (let segment = 0; segment !== content.segments; segment += 1) {
    if (playsFromS !== null) await until(playsFromS + (segment + 1) * content.segment_s - bufferS);
    if (now() >= stopS) break;
    const row = await fetched(segment, level);
    fs.appendFileSync('rows.jsonl', JSON.stringify(row) + '\n');
    playsFromS ??= row.last_byte_s;
    const rate = (share * row.size_bytes * 8) / (row.last_byte_s - row.request_s);
    level = Math.max(0, content.bitrates_bps.findLastIndex((bps) => bps <= rate));
  }
  agent.destroy();
}

void play();
