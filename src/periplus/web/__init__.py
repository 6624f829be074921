"""URLs, pages, links and HTML; nothing here touches disk, network or arrays."""
