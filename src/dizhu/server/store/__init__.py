"""What must not be lost: the database, its one writer, and the logs of the tables."""
