// Timers of Chromium's media elements, which do not end when they are due, but at the next beat of
// 64 a second, counted from zero of the monotonic clock (low_precision_timer.cc of its WebRTC).
'use strict';
const alarm = require('./alarm.cjs');

const BEAT_MS = 1000 / 64;

const READS_MS = 0.001; // so much later than a timer ended Chromium reads the clock to set it anew

// The first beat that is so many ms from now, by performance.now().
function beatAfter(ms) {
  const dueMs = performance.now() + READS_MS + ms - alarm.bootMs;
  return Math.ceil(dueMs / BEAT_MS) * BEAT_MS + alarm.bootMs;
}

// Again and again after so many ms; returns what ends it.
function every(ms, action) {
  let end;
  const wait = () => {
    end = alarm.at(beatAfter(ms), () => {
      wait();
      action();
    });
  };
  wait();
  return () => end();
}

module.exports = { every };
