"""What a page is: URLs, pages, links, HTML. No disk, no network, no arrays."""
