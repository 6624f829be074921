"""One labelled tree over all pages of a web, from its links."""
