#!/bin/sh
# Backs a database up while the service runs: one consistent picture of it, compressed, and a list of how many rows that picture holds.
#   DATABASE_URL=postgres://… sh deploy/backup.sh <folder>
# Needs psql and pg_dump of the server's major version or newer; PSQL, PG_DUMP name others. TRACEWRIGHT_SECRET is not in it: keep that apart.
set -eu
folder=${1:?the folder to write to}
: "${DATABASE_URL:?the URL of the database}"
psql=${PSQL:-psql} pg_dump=${PG_DUMP:-pg_dump}
umask 077
mkdir -p "$folder"
# The picture that is counted is the one that is dumped: this session holds it open until both are done.
pipe=$(mktemp -u) && mkfifo "$pipe"
$psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" < "$pipe" > "$folder/snapshot" &
session=$!
exec 3> "$pipe"
rm "$pipe"
trap 'exec 3>&-; wait $session || true; rm -f "$folder/snapshot"' EXIT
printf '%s\n' 'begin isolation level repeatable read read only;' 'select pg_export_snapshot();' >&3
until [ -s "$folder/snapshot" ]; do kill -0 $session; sleep 0.1; done
snapshot=$(head -n 1 "$folder/snapshot")
$pg_dump --format=custom --no-owner --no-privileges --snapshot="$snapshot" --dbname="$DATABASE_URL" > "$folder/database.dump.part"
counts=$(dirname "$0")/count-rows.sql
{ printf "begin isolation level repeatable read read only;\nset transaction snapshot '%s';\n" "$snapshot"; cat "$counts"; } \
  | $psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" > "$folder/rows"
mv "$folder/database.dump.part" "$folder/database.dump"
sha256sum "$folder/database.dump" | sed "s| .*/| |" > "$folder/database.dump.sha256"
printf 'backed up: %s bytes, %s tables\n' "$(wc -c < "$folder/database.dump")" "$(wc -l < "$folder/rows")"
