//! The sandbox over real HTTP, with hand-written requests: these tests show what a client in any language sees.

mod chance;
mod console;
mod contacts;
mod control;
mod deliveries;
mod demo;
mod effects;
mod extremes;
mod faults;
mod fidelity;
mod filters;
mod http;
mod incentives;
mod invitations;
mod known;
mod load;
mod login;
mod own_survey;
mod pages;
mod panels;
mod refusals;
mod requests;
mod shapes;
mod surveys;
mod tokens;
mod workflows;
