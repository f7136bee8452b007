// An outside player: dash.js as it is, in what it needs of a browser.
'use strict';
const fs = require('node:fs');
const vm = require('node:vm');
const { at, bufferS, end, leave, options, server, since, startS, stopS } = require('./contract.cjs');
const { HTMLVideoElement } = require('./video.cjs');
const { Watch } = require('./watch.cjs');
const { install } = require('./window.cjs');

const [script, native] = process.argv.slice(2);
const video = new HTMLVideoElement();
const events = [];
let player;

const watch = new Watch(video, () => player.getAverageThroughput('video') * 1000);
install(server, require(native), watch);
new vm.Script(fs.readFileSync(script, 'utf8'), { filename: script }).runInThisContext();

// The experiment's `buffer`, unless its settings say otherwise.
const buffer = {
  bufferTimeDefault: bufferS,
  bufferTimeAtTopQuality: bufferS,
  bufferTimeAtTopQualityLongForm: bufferS,
};

function chosen({ mediaType, oldRepresentation, newRepresentation, reason }) {
  if (mediaType !== 'video') return;
  events.push({
    t_s: since(performance.now()),
    event: 'level-chosen',
    level: Number(newRepresentation.id),
    level_before: oldRepresentation ? Number(oldRepresentation.id) : null,
    buffer_s: video.aheadS,
    reason,
  });
}

function play() {
  player = dashjs.MediaPlayer().create();
  player.updateSettings({ streaming: { buffer } });
  player.updateSettings(options.settings);
  player.on('qualityChangeRequested', chosen);
  player.on('error', ({ error }) => console.error(`dash.js: ${error.code} ${error.message}`));
  player.initialize(video, new URL('/manifest.mpd', server).href, true);
}

function finish() {
  leave('rows.jsonl', watch.finish());
  leave('events.jsonl', events);
  end();
}

at(startS, play);
at(stopS, finish);
