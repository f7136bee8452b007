// What Weir tells an outside player and takes from it (docs/outside-players.md).
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const env = process.env;
const FOREVER_MS = 2 ** 30;

const server = new URL(env.WEIR_SERVER);
const content = JSON.parse(fs.readFileSync(env.WEIR_CONTENT, 'utf8'));
const options = JSON.parse(env.WEIR_OPTIONS);
const [startS, stopS, bufferS] = [env.WEIR_START_S, env.WEIR_STOP_S, env.WEIR_BUFFER_S].map(Number);

// Second 0 of the experiment by performance.now().
const zeroMs = Number(env.WEIR_EPOCH_UNIX_S) * 1000 - performance.timeOrigin;

// ms of performance.now() -> s of the experiment, and back.
const since = (ms) => (ms - zeroMs) / 1000;
const msAt = (seconds) => seconds * 1000 + zeroMs;

function leave(name, lines) {
  const text = lines.map((line) => JSON.stringify(line) + '\n').join('');
  fs.writeFileSync(path.join(env.WEIR_OUT, name), text);
}

// Says that all is done, and does nothing more: a process that exits does so at no moment of
// virtual time.
function end() {
  fs.writeSync(Number(env.WEIR_DONE_FD), '.');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FOREVER_MS);
}

module.exports = { bufferS, content, end, leave, msAt, options, server, since, startS, stopS };
