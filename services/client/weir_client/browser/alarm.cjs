// Actions at moments of performance.now(), to the microsecond, each a task of its own.
'use strict';
const { alarm } = require('./native.cjs');

const waiting = new Set(); // {at, action}, in the order in which they were asked for

// Zero of the monotonic clock.
const bootMs = performance.now() - Number(process.hrtime.bigint()) / 1e6;

const earliest = () => {
  let found = null;
  for (const each of waiting) if (!found || each.at < found.at) found = each;
  return found;
};

function set() {
  const next = earliest();
  alarm.set(next ? Math.ceil((next.at - bootMs) * 1000) : 0);
}

const isDue = () => waiting.size > 0 && earliest().at <= performance.now();

alarm.on(() => {
  if (!isDue()) return void set();
  const due = earliest();
  waiting.delete(due);
  try {
    due.action();
  } finally {
    set();
  }
  return isDue();
});

// Returns what takes it back.
function at(ms, action) {
  const each = { at: ms, action };
  waiting.add(each);
  if (earliest() === each) set();
  return () => {
    waiting.delete(each);
  };
}

module.exports = { at, bootMs };
