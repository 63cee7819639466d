package accounts

// Assembled are the statements that are assembled from lists.
func Assembled() map[string]string {
	return map[string]string{"updateSettings": updateSettings, "updatedSettings": updatedSettings}
}
