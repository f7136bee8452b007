#!/usr/bin/env node
// Writes core/weir/PLAYER/VERSION.json: pin.cjs PLAYER VERSION FOLDER INTEGRITY, where PLAYER is
// dashjs, hlsjs or shaka, FOLDER its unpacked npm package with the integrity that
// `npm view NAME@VERSION dist.integrity` tells. Types are read by the compiler in web/node_modules.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { typesOf } = require('./types.cjs');
const window = require('../../services/client/weir_client/browser/window.cjs');

const FILES = {
  dashjs: ['dist/modern/umd/dash.mediaplayer.min.js', 'dist/dash.mediaplayer.min.js'],
  hlsjs: ['dist/hls.min.js'],
  shaka: ['dist/shaka-player.compiled.js'],
};
const DEFAULTS = {
  dashjs: () => dashjs.MediaPlayer().create().getSettings(),
  hlsjs: () => Hls.DefaultConfig,
  shaka() {
    shaka.polyfill.installAll();
    return new shaka.Player().getConfiguration();
  },
};
const [player, version, folder, integrity] = process.argv.slice(2);
const file = FILES[player].find((name) => fs.existsSync(path.join(folder, name)));
const script = fs.readFileSync(path.join(folder, file), 'utf8');

window.install(new URL('http://localhost/'));
new vm.Script(script, { filename: file }).runInThisContext();
const settings = DEFAULTS[player]();
// NaN, Infinity and undefined are defaults, too; JSON has null for all. What is a function is no
// setting.
const plain = (key, value) =>
  typeof value === 'function' ? undefined : value === undefined ? null : value;
const kept = JSON.parse(JSON.stringify(settings, plain));
const pinned = {
  integrity,
  file,
  sha256: createHash('sha256').update(script).digest('hex'),
  settings: kept,
  types: typesOf(player, folder, kept),
};
const out = path.join(__dirname, '../../core/weir', player, `${version}.json`);
fs.writeFileSync(out, JSON.stringify(pinned, null, 1) + '\n');
