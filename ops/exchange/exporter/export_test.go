package exporter

// CommunityColumns are what an export reads of a community.
const CommunityColumns = communityColumns
