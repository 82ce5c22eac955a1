// Boxes that scroll can be reached by keyboard. Which ones scroll depends on the width.
"use strict";

const reach = () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .railroad")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
for (const event of ["load", "resize"]) addEventListener(event, reach);

// A page from the file system may not read others to quote them among the results of a search.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
