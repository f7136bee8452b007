// What a player finds of a browser. It makes this process a page, also of a campaign's own player, by
// require(process.env.WEIR_BROWSER); docs/node-players.md has what it gives.
'use strict';
const alarm = require('./alarm.cjs');
const contract = require('./contract.cjs');
const native = require('./native.cjs');
const { HTMLVideoElement } = require('./video.cjs');
const { Watch } = require('./watch.cjs');
const { install } = require('./window.cjs');

const { bufferS, content, end, leave, msAt, options, server, since, startS, stopS } = contract;
const video = new HTMLVideoElement();
const events = [];
let estimateBps = () => NaN;

const watch = new Watch(video, () => estimateBps());
install(server, native.receive, watch, Boolean(content.live));
if (content.live) require('./motion.cjs').noted(video, (change) => events.push(change));

// begin: called at the client's start; returns what gives the player's estimate in bit/s, if
// anything does. At the stop the rows are left, and the process does nothing more.
function play(begin) {
  alarm.at(msAt(startS), () => {
    estimateBps = begin() ?? estimateBps;
  });
  alarm.at(msAt(stopS), () => {
    leave('rows.jsonl', watch.finish());
    leave('events.jsonl', events);
    end();
  });
}

// Note that the player turns to a level, and why.
function chosen(level, levelBefore, reason = null) {
  events.push({
    t_s: since(performance.now()),
    event: 'level-chosen',
    level,
    level_before: levelBefore,
    buffer_s: video.aheadS,
    reason,
  });
}

module.exports = {
  bufferS,
  chosen,
  dash: new URL('/manifest.mpd', server).href,
  live: content.live ?? null,
  hls: new URL('/master.m3u8', server).href,
  options,
  play,
  video,
};
