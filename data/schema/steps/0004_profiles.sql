-- What members say of themselves beside their bio.
ALTER TABLE users ADD COLUMN links TEXT NOT NULL DEFAULT '[]';
ALTER TABLE users ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
