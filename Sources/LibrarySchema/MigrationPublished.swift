extension Migration {
    // What publishers say beyond what is played is kept where there is any, as one document for each episode or feed
    // (`DetailsDocument`): most have none, and it is not searched. Bodies are read once more, so that
    // episodes of feeds that do not change get theirs too: no request is made for that.

    /// Walks over older pages, and what else publishers say of episodes and feeds.
    static let published = Migration(
        version: 10,
        script: """
            CREATE TABLE page_walk( -- of feeds that name older pages
              feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
              reason TEXT NOT NULL, -- PageWalk.Reason
              time INTEGER NOT NULL,
              pages INTEGER NOT NULL,
              episodes INTEGER NOT NULL,
              since INTEGER,
              ending TEXT, -- PageWalk.End
              next_url TEXT, next_place INTEGER NOT NULL DEFAULT 0, next_oldest INTEGER, -- PageWalk.Pending
              failures INTEGER NOT NULL DEFAULT 0, error TEXT, due INTEGER
            ) STRICT;

            ALTER TABLE unjudged ADD COLUMN through INTEGER; -- what came after is a back catalogue

            CREATE TABLE episode_details(
              episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
              document TEXT NOT NULL
            ) STRICT;

            CREATE TABLE feed_details(
              feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
              document TEXT NOT NULL
            ) STRICT;

            UPDATE fetch_state SET body_digest = NULL;
            """)
}
