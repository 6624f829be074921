#!/bin/sh
# Make src/periplus/serve/static/three.js anew: three.js at the version below, only what entry.js names, in one file.
# Needs node and npm; nobody who uses or tests Periplus does.
set -eu
version=0.187.0
here=$(cd "$(dirname "$0")" && pwd)
static="$here/../../src/periplus/serve/static"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/entry.js" "$work/"
cd "$work"
npm install --silent --no-audit --no-fund "three@$version" esbuild@0.25
npx esbuild entry.js --bundle --format=esm --minify --target=es2022 --legal-comments=inline \
  --banner:js="// three.js $version, MIT licence: see three.license.txt. Made by tools/three/vendor.sh." \
  --outfile="$static/three.js"
cp node_modules/three/LICENSE "$static/three.license.txt"
