// setTimeout and setInterval as pages have them (html.spec.whatwg.org, section 8.7).
'use strict';
const alarm = require('./alarm.cjs');

const NESTED = 6; // timers that were set by timers, and so on: those after so many wait longer
const NESTED_MS = 4;
const INTERVAL_MS = 1;

function install() {
  const waiting = new Map(); // what takes a timer back, by its number
  let count = 0;
  let level = 0; // of what runs

  const setter = (repeats) => (action, ms, ...given) => {
    const number = ++count;
    let own = level + 1;
    let at = performance.now();
    const wait = () => {
      const leastMs = own > NESTED ? NESTED_MS : repeats ? INTERVAL_MS : 0;
      const afterMs = Math.max(ms | 0, leastMs);
      at += afterMs;
      waiting.set(number, afterMs > 0 ? alarm.at(at, run) : next(run));
    };
    const run = () => {
      level = own;
      own += 1;
      if (repeats) wait();
      else waiting.delete(number);
      try {
        action(...given);
      } finally {
        level = 0;
      }
    };
    wait();
    return number;
  };

  globalThis.setTimeout = setter(false);
  globalThis.setInterval = setter(true);
  globalThis.clearTimeout = globalThis.clearInterval = (number) => {
    waiting.get(number)?.();
    waiting.delete(number);
  };
}

// Have it be the next task; returns what takes it back.
function next(action) {
  const task = setImmediate(action);
  return () => clearImmediate(task);
}

module.exports = { install };
