// An outside player: shaka-player as it is, in what it needs of a browser.
'use strict';
const page = require('./page.cjs');
require('./script.cjs');

let player;

const estimateBps = () => player.getStats().estimatedBandwidth;
const levelOf = (track) => (track ? Number(track.originalVideoId) : null);
const told = ({ code, data }) => console.error(`shaka-player: error ${code} ${JSON.stringify(data)}`);

function chosen({ oldTrack, newTrack }) {
  page.chosen(levelOf(newTrack), levelOf(oldTrack), { estimatedBandwidth: estimateBps() });
}

async function load() {
  page.video.autoplay = true;
  await player.attach(page.video);
  await player.load(page.dash);
  page.video.play();
}

page.play(() => {
  shaka.polyfill.installAll();
  player = new shaka.Player();
  player.addEventListener('adaptation', chosen);
  player.addEventListener('error', ({ detail }) => told(detail));
  // The experiment's `buffer`, unless its settings say otherwise.
  player.configure({ streaming: { bufferingGoal: page.bufferS } });
  player.configure(page.options.settings);
  load().catch(told);
  return estimateBps;
});
