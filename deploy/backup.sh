#!/bin/sh
# Dumps the database of PGHOST, PGUSER and PGDATABASE into /backups once a day, and keeps the last 14 dumps.
set -eu
# A dump has the digests of all passwords and tokens.
umask 077
folder=${BACKUP_FOLDER:-/backups}
every_seconds=${BACKUP_EVERY_SECONDS:-86400}
keep=${BACKUP_KEEP:-14}
check_seconds=$((every_seconds < 60 ? every_seconds : 60))

while true; do
  rm -f "$folder"/tracker-*.dump.unfinished
  # After a restart the last dump may still be new.
  newer=$(find "$folder" -name 'tracker-*.dump' -mmin "-$((every_seconds / 60))")
  if [ -z "$newer" ]; then
    name=$folder/tracker-$(date -u +%Y%m%dT%H%M%SZ).dump
    # A dump that was interrupted never has the name of a whole one.
    if pg_dump --format=custom --file="$name.unfinished" && mv "$name.unfinished" "$name"; then
      echo "The database is saved in $name."
      ls -1 "$folder"/tracker-*.dump | sort -r | tail -n +$((keep + 1)) | while read -r old; do rm "$old"; done
    else
      echo "The database could not be saved; the next attempt is in $check_seconds seconds." >&2
    fi
  fi
  sleep "$check_seconds"
done
