"""What the machine under the reasoner needs: time, processes, locks, progress, database, extras."""
