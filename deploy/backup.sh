#!/bin/sh
# Backs up a database while the service runs: a compressed dump of one snapshot, and the number of rows of each table in that snapshot.
#   DATABASE_URL=postgres://… sh deploy/backup.sh <folder>
# The user of the URL owns the tables or is a superuser: fronts and actors may not read all of them. Requires psql and pg_dump of the server's major version or newer; PSQL and PG_DUMP select other programs. The backup does not contain
# TRACEWRIGHT_SECRET: keep it in a different place.
set -eu
folder=${1:?the folder to write to}
: "${DATABASE_URL:?the URL of the database}"
psql=${PSQL:-psql} pg_dump=${PG_DUMP:-pg_dump}
umask 077
mkdir -p "$folder"
# This session keeps the snapshot open until the dump and the counts, which both use it, are done.
pipe=$(mktemp -u) && mkfifo "$pipe"
$psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" < "$pipe" > "$folder/snapshot" &
session=$!
exec 3> "$pipe"
rm "$pipe"
trap 'exec 3>&-; wait $session || true; rm -f "$folder/snapshot"' EXIT
printf '%s\n' 'begin isolation level repeatable read read only;' 'select pg_export_snapshot();' >&3
until [ -s "$folder/snapshot" ]; do kill -0 $session; sleep 0.1; done
snapshot=$(head -n 1 "$folder/snapshot")
# Row-level security shows the owner every row; without the option, pg_dump refuses tables that have it to all but superusers.
# -B leaves out large objects, of which the service has none: one that another user has made would fail the dump.
$pg_dump --format=custom -B --enable-row-security --no-owner --no-privileges --snapshot="$snapshot" --dbname="$DATABASE_URL" > "$folder/database.dump.part"
counts=$(dirname "$0")/count-rows.sql
{ printf "begin isolation level repeatable read read only;\nset transaction snapshot '%s';\n" "$snapshot"; cat "$counts"; } \
  | $psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" > "$folder/rows.part"
[ -s "$folder/rows.part" ] || { echo 'the database contains no tables' >&2; exit 1; }
sha256sum "$folder/database.dump.part" | sed 's| .*| database.dump|' > "$folder/database.dump.sha256.part"
# Last and together: a backup that fails leaves the one that the folder held before as it was.
for file in database.dump database.dump.sha256 rows; do mv "$folder/$file.part" "$folder/$file"; done
printf 'backed up: %s bytes, %s tables\n' "$(wc -c < "$folder/database.dump")" "$(wc -l < "$folder/rows")"
