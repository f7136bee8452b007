// Notes each change of where playback is and how fast it moves: in between it goes on as the note
// before says.
'use strict';
const { since } = require('./contract.cjs');

const ROUNDING_S = 0.001;

// note: told of each change, as a line of events.jsonl.
function noted(video, note) {
  let last = null;
  video.onMotion = () => {
    const { currentTime: mediaS, speed, aheadS } = video;
    const tS = since(performance.now());
    if (!last && speed === 0) return; // it has not begun
    const goesOn = last && last.mediaS + (tS - last.tS) * last.speed;
    if (last && speed === last.speed && Math.abs(mediaS - goesOn) < ROUNDING_S) return;
    last = { tS, mediaS, speed };
    note({ t_s: tS, event: 'playback', media_s: mediaS, speed, buffer_s: aheadS });
  };
}

module.exports = { noted };
