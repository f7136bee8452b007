// Preloaded into a player that a campaign brings. Its process stays where it would end well: one
// that exits does so at no moment of virtual time.
'use strict';
const { isMainThread } = require('node:worker_threads');

// A process or thread that the player starts has another end.
if (isMainThread && !process.send) {
  // By this name a player that spins is found (weir_lab/standstill.py).
  process.title = `client${process.env.WEIR_CLIENT}`;
  process.on('exit', (code) => {
    if (code === 0) require('./contract.cjs').end();
  });
  process.on('SIGTERM', () => {
    if (process.listenerCount('SIGTERM') === 1) process.exit(0);
  });
}
