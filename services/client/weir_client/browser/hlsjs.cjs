// An outside player: hls.js as it is, in what it needs of a browser.
'use strict';
const page = require('./page.cjs');
require('./script.cjs');

// `over` on `defaults`, key by key; hls.js itself takes a tree whole.
function merged(defaults, over) {
  const isTree = (value) => value && typeof value === 'object' && !Array.isArray(value);
  if (!isTree(defaults) || !isTree(over)) return over;
  const keys = Object.entries(over).map(([key, value]) => [key, merged(defaults[key], value)]);
  return { ...defaults, ...Object.fromEntries(keys) };
}

page.play(() => {
  // The experiment's `buffer`, unless its settings say otherwise. There are no workers here.
  const own = { maxBufferLength: page.bufferS, maxMaxBufferLength: page.bufferS };
  const settings = Object.entries(page.options.settings).map(([key, value]) => [
    key,
    merged(Hls.DefaultConfig[key], value),
  ]);
  const player = new Hls({ ...own, ...Object.fromEntries(settings), enableWorker: false });
  let level = null;
  player.on(Hls.Events.LEVEL_SWITCHING, (_, { level: next }) => {
    page.chosen(next, level, { bandwidthEstimate: player.bandwidthEstimate });
    level = next;
  });
  player.on(Hls.Events.ERROR, (_, { type, details, error }) =>
    console.error(`hls.js: ${type} ${details} ${error?.message ?? ''}`),
  );
  player.attachMedia(page.video);
  player.loadSource(page.hls);
  page.video.play();
  return () => player.bandwidthEstimate;
});
