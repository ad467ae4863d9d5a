"""Words that people use in each other's place: "the card hangs" is what "my GPU freezes" is.

What a text reads like is learned from some thousand texts, and hardly two people tell one thing in
the same words. A row holds words that tell the same of a set-up, and the first stands for all of
them. It is no dictionary: what differs elsewhere may be one thing here, and words that tell nothing
of a set-up, as articles and pronouns, are one together.
"""

from __future__ import annotations

#: A row goes on in the lines that begin with the same word.
ROWS = """
gpu gpus card cards graphic graphics videocard dgpu
memory mem ram vram
machine machines computer computers pc laptop notebook desktop workstation server box node host
container containers docker podman pod pods
program programs code script scripts app application process processes job jobs
not no none never nothing nobody neither nor without cannot cant dont doesnt isnt wont lack lacks
not lacking miss misses missing absent
only just solely merely purely exclusively
all every each both whole entire everything complete full
several multiple many two three four eight pair couple
old older oldest ancient outdated
new newer newest latest recent
hang hangs hung hanging stuck freeze freezes frozen freezing stall stalls deadlock deadlocks lockup
hang locks halts
fail fails failed failing error errors errs crash crashes crashed die dies died abort aborts aborted
fail break breaks broke broken throws raises complains
work works worked working fine ok okay well good
slow slower slowly crawl crawls sluggish laggy lag
fast faster quick quicker quickly
use uses used using utilize utilizes utilized utilise utilised utilization usage employ employs
use occupied busy
see sees seen find finds found detect detects detected recognize recognizes recognized recognised
see spot spots discover discovers notice notices
run runs running ran start starts started launch launches launched execute executes executed
take takes taken took grab grabs grabbed occupy occupies hog hogs eat eats fill fills allocate
take allocates allocated reserve reserves claim claims
install installs installed installing installation setup added pulled
build builds built building compile compiles compiled compiling
update updates updated updating upgrade upgrades upgraded upgrading
reboot reboots rebooted rebooting restart restarts restarted restarting
train trains training trained learn learning
compute computes computed calculate calculates calculation computation render renders rendered
compute processing
load loads loaded loading open opens opened opening
show shows showed shown display displays displayed list lists listed report reports reported print
show prints printed say says said tell tells told return returns returned give gives
get gets got getting receive receives received obtain hit encounter encountered encountering
change changed changes changing switch switched switching move moved
try tries tried trying attempt attempts attempted want wants wanted need needs
problem problems issue issues trouble bug
but however although though yet despite whereas
same identical exactly likewise also too either
still always again constantly keep keeps remain remains stay stays
sometimes randomly occasionally intermittently periodically suddenly abruptly
before previously earlier formerly ago once until
after afterwards later then since following when whenever while during
kernel kernels
please thanks thank help hello hi hey dear folks regards appreciated
the an this that these those it its you he she we they me us my mine our your his her their
the is are was were am be been being has have had do does did will would can could should may might
the to of in on at by for with from and or as so if there here
"""

#: Each of these words, and the one that stands for it.
STANDS_FOR = {word: row[0] for row in map(str.split, ROWS.splitlines()) for word in row}
