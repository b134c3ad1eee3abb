extension Migration {
    /// Parts of episodes that are skipped, and how loud recordings are.
    static let markedParts = Migration(
        version: 18,
        script: """
            ALTER TABLE bookmark ADD COLUMN skip_end INTEGER CHECK (skip_end > position); -- of a part that is not played

            CREATE TABLE loudness( -- of whole recordings
              episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
              hundredths INTEGER NOT NULL -- of LUFS
            ) STRICT;
            """)
}
