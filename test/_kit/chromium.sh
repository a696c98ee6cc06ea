#!/bin/sh
# Starts the browser $CHROMIUM so that no process of it is left behind: it is killed with its parent, and at a deadline in any case.
exec timeout --foreground --signal=KILL "$CHROMIUM_LIFE_S" setpriv --pdeathsig=KILL "$CHROMIUM" "$@"
