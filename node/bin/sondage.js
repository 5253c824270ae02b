#!/usr/bin/env node
'use strict';
// Documentation: https://github.com/sondage/sondage/blob/main/README.md

const native = require('../lib/native.js');

process.exitCode = native.command(['sondage', ...process.argv.slice(2)]);
