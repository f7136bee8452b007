// setTimeout as pages have it (html.spec.whatwg.org, section 8.7): Node's waits for a millisecond at
// least.
'use strict';

const NESTED = 5; // timeouts that were set by timeouts, and so on: those after so many wait longer
const LEAST_MS = 4;

function install() {
  const { setTimeout: wait, clearTimeout: forget } = globalThis;
  const tasks = new Set(); // those that wait for nothing
  let level = 0; // of what runs

  globalThis.setTimeout = (action, ms, ...given) => {
    const own = level + 1;
    const run = () => {
      level = own;
      try {
        action(...given);
      } finally {
        level = 0;
      }
    };
    const afterMs = level > NESTED ? Math.max(ms || 0, LEAST_MS) : ms;
    if (afterMs >= 1) return wait(run, afterMs);
    const task = setImmediate(() => {
      tasks.delete(task);
      run();
    });
    tasks.add(task);
    return task;
  };
  globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
    if (tasks.delete(timer)) clearImmediate(timer);
    else forget(timer);
  };
}

module.exports = { install };
