// An outside player: shaka-player as it is, in what it needs of a browser.
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

const watch = new Watch(video, () => player.getStats().estimatedBandwidth);
install(server, require(native), watch);
new vm.Script(fs.readFileSync(script, 'utf8'), { filename: script }).runInThisContext();

const levelOf = (track) => (track ? Number(track.originalVideoId) : null);

function chosen({ oldTrack, newTrack }) {
  events.push({
    t_s: since(performance.now()),
    event: 'level-chosen',
    level: levelOf(newTrack),
    level_before: levelOf(oldTrack),
    buffer_s: video.aheadS,
    reason: { estimatedBandwidth: player.getStats().estimatedBandwidth },
  });
}

const told = ({ code, data }) => console.error(`shaka-player: error ${code} ${JSON.stringify(data)}`);

async function play() {
  shaka.polyfill.installAll();
  player = new shaka.Player();
  player.addEventListener('adaptation', chosen);
  player.addEventListener('error', ({ detail }) => told(detail));
  // The experiment's `buffer`, unless its settings say otherwise.
  player.configure({ streaming: { bufferingGoal: bufferS } });
  player.configure(options.settings);
  video.autoplay = true;
  await player.attach(video);
  await player.load(new URL('/manifest.mpd', server).href);
  video.play();
}

function finish() {
  leave('rows.jsonl', watch.finish());
  leave('events.jsonl', events);
  end();
}

at(startS, () => play().catch(told));
at(stopS, finish);
