#!/usr/bin/env node
// Writes core/weir/dashjs/VERSION.json: pin.cjs VERSION FOLDER, where FOLDER is the unpacked npm
// package with the integrity that `npm view dashjs@VERSION dist.integrity` tells as third argument.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const window = require('../../services/client/weir_client/browser/window.cjs');

const FILES = ['dist/modern/umd/dash.mediaplayer.min.js', 'dist/dash.mediaplayer.min.js'];
const [version, folder, integrity] = process.argv.slice(2);
const file = FILES.find((name) => fs.existsSync(path.join(folder, name)));
const script = fs.readFileSync(path.join(folder, file), 'utf8');

window.install(new URL('http://localhost/'));
new vm.Script(script, { filename: file }).runInThisContext();
const settings = dashjs.MediaPlayer().create().getSettings();
// NaN and undefined are defaults, too; JSON has null for both.
const plain = (key, value) => (value === undefined ? null : value);
const pinned = { integrity, file, sha256: createHash('sha256').update(script).digest('hex'), settings };
const out = path.join(__dirname, '../../core/weir/dashjs', `${version}.json`);
fs.writeFileSync(out, JSON.stringify(pinned, plain, 1) + '\n');
