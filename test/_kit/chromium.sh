#!/bin/sh
# Starts the browser $CHROMIUM so that nothing of it stays: it ends with its parent, and at a deadline whatever it does.
exec timeout --foreground --signal=KILL "$CHROMIUM_LIFE_S" setpriv --pdeathsig=KILL "$CHROMIUM" "$@"
