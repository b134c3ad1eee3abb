extension Migration {
    // What the schedule and the moves know between two runs. `moved_to` had been there: a redirect seen once.

    /// Politeness that outlasts a run: hosts at peace, what documents wish, moves that wait, feeds that are stopped.
    static let refreshing = Migration(
        version: 6,
        script: """
            ALTER TABLE fetch_state ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0; -- tried by hand only
            ALTER TABLE fetch_state ADD COLUMN due_reason TEXT;
            ALTER TABLE fetch_state ADD COLUMN last_full INTEGER; -- an answer with a body
            ALTER TABLE fetch_state ADD COLUMN false_304 INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE fetch_state ADD COLUMN patience INTEGER; -- seconds
            ALTER TABLE fetch_state ADD COLUMN planned_gap INTEGER; -- seconds
            ALTER TABLE fetch_state ADD COLUMN quiet_hours INTEGER NOT NULL DEFAULT 0; -- bit 0 is midnight, GMT
            ALTER TABLE fetch_state ADD COLUMN quiet_days INTEGER NOT NULL DEFAULT 0; -- bit 0 is Sunday
            ALTER TABLE fetch_state ADD COLUMN complete INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE fetch_state ADD COLUMN gap INTEGER; -- seconds between episodes
            ALTER TABLE fetch_state ADD COLUMN newest INTEGER;
            ALTER TABLE fetch_state ADD COLUMN move_reason TEXT;
            ALTER TABLE fetch_state ADD COLUMN move_sightings INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE fetch_state ADD COLUMN move_obstacle TEXT;
            UPDATE fetch_state SET last_full = last_success;
            UPDATE fetch_state SET move_reason = 'redirect', move_sightings = 1 WHERE moved_to IS NOT NULL;

            CREATE TABLE host_peace( -- hosts that want no requests for a while
              host TEXT PRIMARY KEY,
              noted INTEGER NOT NULL,
              until INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}
