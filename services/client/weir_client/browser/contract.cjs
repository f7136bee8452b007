// What Weir tells an outside player and takes from it (docs/outside-players.md).
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: wait } = require('node:timers'); // a page's own may be another

const env = process.env;
const LONG_MS = 200;
const FOREVER_MS = 2 ** 30;

const server = new URL(env.WEIR_SERVER);
const content = JSON.parse(fs.readFileSync(env.WEIR_CONTENT, 'utf8'));
const options = JSON.parse(env.WEIR_OPTIONS);
const [startS, stopS, bufferS] = [env.WEIR_START_S, env.WEIR_STOP_S, env.WEIR_BUFFER_S].map(Number);

// Second 0 of the experiment by performance.now().
const zeroMs = Number(env.WEIR_EPOCH_UNIX_S) * 1000 - performance.timeOrigin;

// ms of performance.now() -> s of the experiment.
const since = (ms) => (ms - zeroMs) / 1000;

// Linux may end a wait of poll(2) later by a thousandth of it, so that a long one is made in parts.
function at(seconds, action) {
  const leftMs = seconds * 1000 + zeroMs - performance.now();
  if (leftMs <= 0) action();
  else wait(() => at(seconds, action), leftMs > LONG_MS ? leftMs / 2 : Math.ceil(leftMs));
}

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

module.exports = { at, bufferS, content, end, leave, options, server, since, startS, stopS };
