package locale

// germanPictures are the phrases about blocked pictures, rules about pictures, and the list of all pictures.
var germanPictures = []phrase{
	{"This picture was removed here. It must not be posted again.",
		"Dieses Bild wurde hier entfernt. Es darf nicht wieder gepostet werden."},
	{"Picture {} was removed here. It must not be posted again.",
		"Bild {} wurde hier entfernt. Es darf nicht wieder gepostet werden."},
	{"There is no picture here that could be blocked.", "Hier gibt es kein Bild, das gesperrt werden könnte."},
	{"Pictures are blocked in the community or on the site.", "Bilder werden in der Community oder auf der Website gesperrt."},
	{"It is removed, but its pictures may not be blocked everywhere. Please try again.",
		"Es ist entfernt, aber die Bilder sind vielleicht nicht überall gesperrt. Bitte versuche es noch einmal."},
	{"This picture is not blocked.", "Dieses Bild ist nicht gesperrt."},
	{"{}. Its pictures are blocked, and {} other post with them waits in the queue.|" +
		"{}. Its pictures are blocked, and {} other posts with them wait in the queue.",
		"{}. Die Bilder sind gesperrt, und {} weiterer Beitrag mit ihnen wartet.|{}. Die Bilder sind gesperrt, und {} weitere Beiträge mit " +
			"ihnen warten."},
	{"{}. Its pictures are blocked.", "{}. Die Bilder sind gesperrt."},
	{"Blocked pictures", "Gesperrte Bilder"},
	{"{} picture: show it clearly|{} pictures: show them clearly", "{} Bild: scharf zeigen|{} Bilder: scharf zeigen"},
	{"Block its pictures in {}", "Bilder in {} sperren"},
	{"Block its pictures on the whole site", "Bilder auf der ganzen Website sperren"},
	{"Nobody can upload these pictures or post them anywhere on the site. Moderators block pictures for their own community.",
		"Niemand kann diese Bilder hochladen oder irgendwo auf der Website posten. Moderatoren sperren Bilder für ihre eigene Community."},
	{"Nobody can post these pictures in c/{}. Elsewhere they can be posted: only administrators block pictures on the whole site.",
		"Niemand kann diese Bilder in c/{} posten. Anderswo ist es möglich: Auf der ganzen Website sperren nur Administratoren Bilder."},
	{"Pictures are blocked in the form that removes a post. Posts with similar pictures come into the queue. They are found by a " +
		"fingerprint that the uploader's browser makes. Without one, only the same file is found.",
		"Bilder werden in dem Formular gesperrt, das einen Beitrag entfernt. Beiträge mit ähnlichen Bildern kommen in die Warteschlange. Sie " +
			"werden an einem Fingerabdruck erkannt, den der Browser beim Hochladen macht. Ohne ihn wird nur dieselbe Datei erkannt."},
	{"Similar pictures", "Ähnliche Bilder"},
	{"No picture is blocked.", "Kein Bild ist gesperrt."},
	{"Blocked by {}", "Gesperrt von {}"},
	{"only the same file", "nur dieselbe Datei"},
	{"no longer on this site", "nicht mehr auf dieser Website"},
	{"Blocked picture", "Gesperrtes Bild"},
	{"{} blocked a picture", "{} hat ein Bild gesperrt"},
	{"{} unblocked a picture", "{} hat die Sperre eines Bildes aufgehoben"},
	{"{} picture blocked|{} pictures blocked", "{} Bild gesperrt|{} Bilder gesperrt"},
	{"{} picture unblocked|{} pictures unblocked", "{} Bild nicht mehr gesperrt|{} Bilder nicht mehr gesperrt"},
	{"Pictures¦blocked", "Bilder"}, {"Picture {}", "Bild {}"}, {"Post¦noun", "Beitrag"},

	// Rules about pictures.
	{"What has a link, or a picture from another site, is shown after you have approved it, as long as its author is new here.",
		"Was einen Link oder ein Bild von einer anderen Website enthält, wird erst gezeigt, wenn du es freigibst, solange der " +
			"Autor hier neu ist."},
	{"Posts with pictures wait for you, as long as their author has fewer than 5 accepted posts and comments here.",
		"Beiträge mit Bildern warten auf dich, solange der Autor hier weniger als 5 angenommene Beiträge und Kommentare hat."},
	{"What has one of your words is shown after you have approved it.",
		"Was eines deiner Wörter enthält, wird erst gezeigt, wenn du es freigibst."},
	{"What links to one of your domains is removed at once, and its author reads why.",
		"Was auf eine deiner Domains verweist, wird sofort entfernt, und der Autor liest, warum."},
	{"After 3 reports it is hidden until you have decided.", "Nach 3 Meldungen ist es verborgen, bis du entschieden hast."},
	{"has at least this many pictures", "hat mindestens so viele Bilder"},
	{"Uploaded, or from another site.", "Hochgeladene oder von einer anderen Website."},

	// The list of all pictures.
	{"Pictures of {}", "Bilder von {}"},
	{"{} picture|{} pictures", "{} Bild|{} Bilder"},
	{"{} of {} MB", "{} von {} MB"},
	{"{} uploaded in the last day|{} uploaded in the last day", "{} am letzten Tag hochgeladen|{} am letzten Tag hochgeladen"},
	{"1,000 or more uploaded in the last day", "1.000 oder mehr am letzten Tag hochgeladen"},
	{"Largest", "Größte"},
	{"No pictures.", "Keine Bilder."},
	{"{} KB", "{} KB"},
	{"not used, and deleted within a day", "nicht benutzt, wird binnen eines Tages gelöscht"},
	{"blocked on the whole site", "auf der ganzen Website gesperrt"},
	{"Block on the site", "Auf der Website sperren"},
	{"Picture of a member", "Bild eines Mitglieds"},
	{"Icon of a community", "Symbol einer Community"},
	{"Banner of a community", "Banner einer Community"},
	{"Show the pictures clearly", "Bilder scharf zeigen"},
}
