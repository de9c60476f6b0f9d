#!/bin/sh
# Dumps the database of PGHOST, PGUSER and PGDATABASE into /backups once a day, and keeps the last 14 dumps.
set -eu
folder=${BACKUP_FOLDER:-/backups}
every_seconds=${BACKUP_EVERY_SECONDS:-86400}
keep=${BACKUP_KEEP:-14}

while true; do
  name=$folder/tracker-$(date -u +%Y%m%dT%H%M%SZ).dump
  # A dump that was interrupted never has the name of a whole one.
  if pg_dump --format=custom --file="$name.unfinished" && mv "$name.unfinished" "$name"; then
    echo "The database is saved in $name."
    ls -1 "$folder"/tracker-*.dump | sort -r | tail -n +$((keep + 1)) | while read -r old; do rm "$old"; done
  else
    rm -f "$name.unfinished"
    echo "The database could not be saved; the next attempt is in $every_seconds seconds." >&2
  fi
  sleep "$every_seconds"
done
