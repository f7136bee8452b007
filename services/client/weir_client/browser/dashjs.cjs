// An outside player: dash.js as it is, in what it needs of a browser.
'use strict';
const page = require('./page.cjs');
require('./script.cjs');

// The experiment's `buffer`, unless its settings say otherwise.
const buffer = {
  bufferTimeDefault: page.bufferS,
  bufferTimeAtTopQuality: page.bufferS,
  bufferTimeAtTopQualityLongForm: page.bufferS,
};

function chosen({ mediaType, oldRepresentation, newRepresentation, reason }) {
  if (mediaType !== 'video') return;
  const before = oldRepresentation ? Number(oldRepresentation.id) : null;
  page.chosen(Number(newRepresentation.id), before, reason);
}

page.play(() => {
  const player = dashjs.MediaPlayer().create();
  player.updateSettings({ streaming: { buffer } });
  // A cell's hosts share one clock.
  if (page.live) player.updateSettings({ streaming: { utcSynchronization: { enabled: false } } });
  player.updateSettings(page.options.settings);
  player.on('qualityChangeRequested', chosen);
  player.on('error', ({ error }) => console.error(`dash.js: ${error.code} ${error.message}`));
  player.initialize(page.video, page.dash, true);
  return () => player.getAverageThroughput('video') * 1000;
});
