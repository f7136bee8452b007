// An outside player: hls.js as it is, in what it needs of a browser.
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

const watch = new Watch(video, () => player.bandwidthEstimate);
install(server, require(native), watch);
new vm.Script(fs.readFileSync(script, 'utf8'), { filename: script }).runInThisContext();

let level = null;

function chosen(_, { level: next }) {
  events.push({
    t_s: since(performance.now()),
    event: 'level-chosen',
    level: next,
    level_before: level,
    buffer_s: video.aheadS,
    reason: { bandwidthEstimate: player.bandwidthEstimate },
  });
  level = next;
}

// `over` on `defaults`, key by key; hls.js itself takes a tree whole.
function merged(defaults, over) {
  const isTree = (value) => value && typeof value === 'object' && !Array.isArray(value);
  if (!isTree(defaults) || !isTree(over)) return over;
  const keys = Object.entries(over).map(([key, value]) => [key, merged(defaults[key], value)]);
  return { ...defaults, ...Object.fromEntries(keys) };
}

function play() {
  // The experiment's `buffer`, unless its settings say otherwise. There are no workers here.
  const own = { maxBufferLength: bufferS, maxMaxBufferLength: bufferS };
  const settings = Object.entries(options.settings).map(([key, value]) => [
    key,
    merged(Hls.DefaultConfig[key], value),
  ]);
  player = new Hls({ ...own, ...Object.fromEntries(settings), enableWorker: false });
  player.on(Hls.Events.LEVEL_SWITCHING, chosen);
  player.on(Hls.Events.ERROR, (_, { type, details, error }) =>
    console.error(`hls.js: ${type} ${details} ${error?.message ?? ''}`),
  );
  player.attachMedia(video);
  player.loadSource(new URL('/master.m3u8', server).href);
  video.play();
}

function finish() {
  leave('rows.jsonl', watch.finish());
  leave('events.jsonl', events);
  end();
}

at(startS, play);
at(stopS, finish);
